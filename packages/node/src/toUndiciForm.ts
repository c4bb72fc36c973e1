/** Copies a form into one of undici, which accepts no other. */
import type { Dispatcher } from "undici"
import type { Undici } from "./lazyAgent.ts"

/** The body and the headers of a request; undici sets the `content-type`, with its own boundary. */
export const toUndiciForm = (
  headers: Readonly<Record<string, string>>,
  fields: FormData,
  undici: Undici
): Required<Pick<Dispatcher.DispatchOptions, "body" | "headers">> => {
  const form = new undici.FormData()
  for (const [name, value] of fields) form.append(name, value)
  const { "content-type": _, ...others } = headers
  return { headers: others, body: form }
}
