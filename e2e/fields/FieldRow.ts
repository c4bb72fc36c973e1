/** A row of the table that says what happens to a field of a request. */
import { providerDialects } from "../dialects/ProviderDialect.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * `passed`: the provider gets it. `told`: `X-Signalbox-Ignored` names it. `refused`: a 400. `done`: by the router, or it
 * asks for what happens anyway.
 */
const treatments = ["passed", "told", "refused", "done"] as const
export type Treatment = (typeof treatments)[number]

export interface FieldRow {
  /** Its path, with `[]` for the elements of a list; behind a colon, a value of it. */
  readonly field: string
  /** One treatment for the providers of all APIs, or one each: chat, Messages, Gemini and Responses. */
  readonly at: Treatment | `${Treatment} ${Treatment} ${Treatment} ${Treatment}`
  /** The treatment at OpenRouter, which knows more than other servers of the chat API; default: as there. */
  readonly atOpenRouter?: Treatment
  /** Has the field. */
  readonly request: Json
  /** The same without it; default: no fields. */
  readonly without?: Json
  /** What the router does, in Markdown. */
  readonly note?: string
}

/** The providers of the columns: a server of each API, and OpenRouter. */
export const fieldProviders = [...providerDialects, "openrouter"] as const
export type FieldProvider = (typeof fieldProviders)[number]

export const listTreatments = ({ at, atOpenRouter }: FieldRow): ReadonlyArray<Treatment> => {
  const each = at.split(" ") as ReadonlyArray<Treatment>
  const byApi = each.length === 1 ? Array.from({ length: 4 }, () => each[0]!) : each
  return [...byApi, atOpenRouter ?? byApi[0]!]
}
