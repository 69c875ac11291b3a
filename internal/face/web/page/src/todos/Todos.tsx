export function Todos() {
  return null;
}
