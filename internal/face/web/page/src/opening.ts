import { ApiError, get } from "./api";
import { about, link } from "./state";
import { forgetToken } from "./token";
import type { About } from "./types";

// readAbout learns what the server shows. One that does not answer is waited for
// by the stream of events.
export async function readAbout(): Promise<void> {
  try {
    about.value = await get<About>("about");
  } catch (err) {
    if (!(err instanceof ApiError)) link.value = "away";
    else if (err.status === 401) {
      forgetToken();
      link.value = "refused";
    }
  }
}
