import { render } from "preact";
import { App } from "./app";
import { startClock } from "./clock";
import { listen } from "./events";
import { listenToKeys } from "./keys";
import { startNotify } from "./notify";
import { readAbout } from "./opening";
import { followAddress, link } from "./state";
import { keepSteady } from "./steady";
import { applyTheme } from "./theme";
import { findToken, takeLinks } from "./token";
import "./style/tokens.css";
import "./style/base.css";

applyTheme();
const token = await findToken(); // takes its code out of the address first
takeLinks();
followAddress();
if (token) {
  await readAbout();
  startClock();
  keepSteady();
  listenToKeys();
  startNotify();
  void listen();
} else {
  link.value = "refused";
}
render(<App />, document.getElementById("page")!);
