/** Reads a variable of the environment. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Undefined if it is unset or empty. */
export const readVariable = (name: string): Effect.Effect<string | undefined> =>
  Config.NonEmptyString(name).pipe(
    Config.option,
    Effect.map(Option.getOrUndefined),
    Effect.orElseSucceed(() => undefined)
  )
