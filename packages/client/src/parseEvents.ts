/** Parses server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream. */

/** Takes text as it arrives, split anywhere, and returns the data of each event that is complete. */
export const makeEventParser = (): ((text: string) => ReadonlyArray<string>) => {
  let rest = ""
  let data: Array<string> = []
  let isFirst = true
  return (text) => {
    if (isFirst && text !== "") {
      isFirst = false
      rest = text.startsWith("\uFEFF") ? text.slice(1) : text
    } else rest += text
    const events: Array<string> = []
    // A carriage return at the end may be the first half of CRLF.
    for (let end; (end = /\r\n|\n|\r(?!$)/.exec(rest)) !== null;) {
      const line = rest.slice(0, end.index)
      rest = rest.slice(end.index + end[0].length)
      if (line === "") {
        if (data.length > 0) events.push(data.join("\n"))
        data = []
      } else if (line === "data") data.push("")
      // Names, ids and comments, which keep the connection open, carry nothing: data has its own type.
      else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5))
    }
    return events
  }
}
