const sameYear = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const otherYear = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });

// day is how a reader calls the day of a moment: "Today", "Friday 21 November".
export function day(now: Date, at: Date): string {
  const midnight = (d: Date, ago = 0): number => new Date(d.getFullYear(), d.getMonth(), d.getDate() - ago).getTime();
  const date = midnight(at);
  if (date === midnight(now)) return "Today";
  if (date === midnight(now, 1)) return "Yesterday";
  return (at.getFullYear() === now.getFullYear() ? sameYear : otherYear).format(at).replace(",", "");
}

const two = (n: number): string => String(n).padStart(2, "0");

// clock is the time of day: "15:04".
export const clock = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}`;
