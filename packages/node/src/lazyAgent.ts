/** An agent of undici, which is loaded with the first request: a process that sends none does without. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as UndiciModule from "undici"
import type { Agent } from "undici"

export type Undici = typeof UndiciModule.default

export interface LoadedAgent {
  readonly dispatcher: Agent
  readonly undici: Undici
}

export interface LazyAgent {
  readonly load: () => Promise<LoadedAgent>
  /** Undefined until it is loaded. */
  readonly getLoaded: () => LoadedAgent | undefined
}

/** `agentOptions` runs when undici is loaded. The connections are closed with the scope. */
export const makeLazyAgent = (
  agentOptions: (undici: Undici) => Agent.Options
): Effect.Effect<LazyAgent, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      let loading: Promise<LoadedAgent> | undefined
      let loaded: LoadedAgent | undefined
      return {
        load: () =>
          // As the default export, because split bundles have no other one of a CommonJS module.
          (loading ??= import("undici").then(
            ({ default: undici }) =>
              (loaded = {
                // docs/contributing/performance.md compares it with HTTP/2, which is undici's default.
                dispatcher: new undici.Agent({ allowH2: false, ...agentOptions(undici) }),
                undici
              })
          )),
        getLoaded: () => loaded,
        close: async () => {
          await loading
          await loaded?.dispatcher.destroy()
        }
      }
    }),
    ({ close }) => Effect.promise(close)
  )
