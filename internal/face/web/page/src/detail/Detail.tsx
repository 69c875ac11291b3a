export function Detail() {
  return null;
}
