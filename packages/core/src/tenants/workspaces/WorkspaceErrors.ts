/** How a change of workspaces is refused. */
import * as Data from "effect/Data"

/** Another workspace of the account has this slug. */
export class SlugTaken extends Data.TaggedError("SlugTaken")<{ readonly slug: string }> {}
