/** Server-sent events of dialects that name each event. */

/** The JSON of an event; its `type` is the name of the event too. */
export interface NamedEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** Clients select events by the line with the name; JSON holds no line breaks, but the name of a provider's event may. */
export const encodeNamedEvent = (event: NamedEvent): string =>
  `event: ${lineBreak.test(event.type) ? event.type.replaceAll(lineBreaks, " ") : event.type}\ndata: ${JSON.stringify(event)}\n\n`

export const encodeNamedEvents = (events: ReadonlyArray<NamedEvent>): string => {
  let text = ""
  for (const event of events) text += encodeNamedEvent(event)
  return text
}

const lineBreak = /[\n\r]/
const lineBreaks = /[\n\r]/g
