import { absolute, clockTime, second } from "../clock";
import type { Reading } from "../reading";
import { about, awaySince, distantAway, link } from "../state";
import { atAddress } from "../token";
import type { Lanes } from "../types";

const calm = 1000; // milliseconds: a line that is back by then was not worth a word

// Away says below the header that what is shown is old: since when which server does
// not answer. The page goes on by itself.
export function Away({ lanes }: { lanes: Reading<Lanes> }) {
  void second.value;
  const own = link.value === "away" ? awaySince.value : undefined;
  if (own !== undefined && Date.now() - own < calm) return null;
  const since = own !== undefined ? new Date(own).toISOString() : distantAway.value;
  if (!since) return null;
  const who = own !== undefined ? (atAddress ? location.host : "pawl serve") : hostOf(about.value?.address ?? "");
  const old = own === undefined ? lanes.data.value?.asOf : undefined;
  const asOf = old && clockTime(old) !== clockTime(since) ? old : undefined;
  return (
    <p class="server-away" role="status">
      {who} has not answered since{" "}
      <time dateTime={since} title={absolute(since)}>
        {clockTime(since)}
      </time>
      .{" "}
      {asOf ? (
        <>
          You see the board as of{" "}
          <time dateTime={asOf} title={absolute(asOf)}>
            {clockTime(asOf)}
          </time>
        </>
      ) : (
        "You see the board as it was then"
      )}
      ; this page continues as soon as the server answers.
    </p>
  );
}

const hostOf = (address: string): string => /^\w+:\/\/([^/]+)/.exec(address)?.[1] ?? "The server";
