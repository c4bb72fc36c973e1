/** Whether an instance can keep prompts and answers, which are never stored without a seal. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { toSealingProblem } from "../../engine/secrets/Sealer.ts"
import type { InvalidRequest } from "../../values/errors/RequestErrors.ts"

/** What the options of an instance say about keeping content. */
interface ContentKeepingShape {
  /** Whether the instance has a key to seal content with. */
  readonly isPossible: boolean
}

/** Default: nothing can be kept. */
export const ContentKeeping: Context.Reference<ContentKeepingShape> = Context.Reference(
  "@signalbox/core/tenants/workspaces/ContentKeeping",
  { defaultValue: (): ContentKeepingShape => ({ isPossible: false }) }
)

/** Refuses to switch on what would keep nothing. */
export const checkKeepContent = (
  { isPossible }: ContentKeepingShape,
  { keep_content }: { readonly keep_content?: boolean | null }
): Effect.Effect<void, InvalidRequest> =>
  keep_content === true && !isPossible
    ? Effect.fail(toSealingProblem(["keep_content"], "cannot be true")())
    : Effect.void
