/** The flags that choose models of a catalog by their ids, for `makeNameFilter`. */
import * as Flag from "effect/cli/Flag"

export const modelFlags = {
  model: Flag.String("model").pipe(
    Flag.withDescription(
      "Only models whose id matches, such as 'acme/*'; give it again for each pattern"
    ),
    Flag.atLeast(0)
  ),
  exclude: Flag.String("exclude").pipe(
    Flag.withDescription("No models whose id matches, such as '*:free'"),
    Flag.atLeast(0)
  )
}
