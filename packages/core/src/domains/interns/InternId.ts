/** Ids of interns. */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"

/** The id of an intern: `intern_` and 20 lower-case letters and digits. */
export const InternId = Schema.String.check(
  Schema.isPattern(/^intern_[0-9a-z]{20}$/, { expected: "the id of an intern" })
).pipe(Schema.brand("InternId"))
export type InternId = typeof InternId.Type

export const is = Schema.is(InternId)

/** Lower case, because hostnames ignore case. */
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

/** 103 bits. */
export const next: Effect.Effect<InternId> = Effect.map(
  Effect.all(Array.from({ length: 20 }, () => Random.next)),
  (numbers) =>
    InternId.make(
      `intern_${numbers.map((number) => alphabet[Math.floor(number * alphabet.length)]).join("")}`
    )
)

/** The 20 characters of the id that go into a hostname. */
export const toHostnameSuffix = (id: InternId): string => id.slice("intern_".length)
