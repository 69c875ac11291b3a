import { dialog, openTask } from "../state";
import { Steering } from "../runs/Steering";
import { Add } from "./Add";
import { Asked } from "./Asked";
import { Assign, Delete, Hold, Note } from "./Ask";
import { Edit } from "./Edit";
import { Help } from "./Help";
import { Link } from "./Link";
import { Search } from "./Search";
import { Undo } from "./Undo";
import "./dialogs.css";
import "./pick.css";

// Dialogs shows the dialog that is open.
export function Dialogs() {
  const d = dialog.value;
  switch (d?.kind) {
    case undefined:
      return null;
    case "add":
      return <Add near={d.near ?? openTask.value} subject={d.subject} />;
    case "edit":
      return <Edit id={d.id} key={d.id} />;
    case "link":
      return <Link id={d.id} key={d.id} />;
    case "hold":
      return <Hold id={d.id} text={d.text} key={d.id} />;
    case "note":
      return <Note id={d.id} key={d.id} />;
    case "assign":
      return <Assign id={d.id} key={d.id} />;
    case "delete":
      return <Delete id={d.id} key={d.id} />;
    case "checks":
      return <Asked id={d.id} key={d.id} />;
    case "steer":
      return <Steering {...d} key={d.id} />;
    case "undo":
      return <Undo of={d.of} key={d.of.revision} />;
    case "search":
      return <Search />;
    case "help":
      return <Help />;
  }
}
