import { formatHash } from "../hash";
import { place } from "../state";
import type { ID } from "../types";

// taskAddress is where a task's details are: beside what is shown now.
export const taskAddress = (task: ID): string => formatHash({ ...place.value, task });
