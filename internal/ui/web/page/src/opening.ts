import { ApiError, get } from "./api";
import { about, left, link } from "./state";
import { atAddress, forgetToken, notLetIn } from "./token";
import type { About } from "./types";

// readAbout learns what the server shows. One that does not answer is waited for
// by the stream of events.
export async function readAbout(): Promise<void> {
  try {
    about.value = await get<About>("about");
  } catch (err) {
    if (!(err instanceof ApiError)) left();
    else if (err.status === 401 || (atAddress && (err.status === 403 || err.status === 404))) {
      if (err.status !== 401) notLetIn(err.message);
      forgetToken();
      link.value = "refused";
    }
  }
}
