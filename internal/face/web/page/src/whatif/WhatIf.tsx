export function WhatIf() {
  return null;
}
