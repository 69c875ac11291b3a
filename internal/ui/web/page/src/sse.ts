// What a server-sent event says.
export interface ServerEvent {
  event: string;
  data: string;
  id?: string;
}

// SSE reads a stream of events from pieces of text, cut wherever the network cut
// them.
export class SSE {
  private rest = "";
  private event = "";
  private data: string[] = [];
  private id: string | undefined;

  // push returns the events that are complete with this piece.
  push(piece: string): ServerEvent[] {
    const out: ServerEvent[] = [];
    this.rest += piece;
    // A \r at the end may be half of \r\n: it waits for the next piece.
    for (let m; (m = /\r\n|\n|\r(?!$)/.exec(this.rest)); ) {
      const line = this.rest.slice(0, m.index);
      this.rest = this.rest.slice(m.index + m[0].length);
      const done = this.line(line);
      if (done) out.push(done);
    }
    return out;
  }

  private line(line: string): ServerEvent | undefined {
    if (line === "") {
      const done = this.data.length ? { event: this.event || "message", data: this.data.join("\n"), id: this.id } : undefined;
      this.event = "";
      this.data = [];
      this.id = undefined;
      return done;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.event = value;
    else if (field === "data") this.data.push(value);
    else if (field === "id") this.id = value;
    return undefined;
  }
}
