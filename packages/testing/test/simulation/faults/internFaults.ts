/** Interns that two processes work on, and turns that are paid twice. */
import { InternStore } from "@signalbox/core/stores"
import type { ChatCall } from "@signalbox/core/upstream"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { PlantedFault } from "./PlantedFault.ts"

export const internFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "the claim of a process on an intern keeps no other off",
    breaks: "oneOperationAtATime",
    database: (stores) => {
      const interns = Context.get(stores, InternStore)
      return Context.add(stores, InternStore, {
        ...interns,
        find: (id) =>
          Effect.map(interns.find(id), (intern) =>
            intern === undefined ? undefined : Struct.omit(intern, ["claim"])
          )
      })
    }
  },
  {
    name: "the model of a turn is asked twice for one answer",
    breaks: "noTurnIsBilledTwice",
    upstream: (upstream) => {
      const { chat } = upstream
      if (chat === undefined) return upstream
      return {
        ...upstream,
        chat: {
          ...chat,
          stream: (call) => {
            const once = chat.stream(call)
            return "run" in once && isOfTurn(call)
              ? {
                  run: (push) =>
                    Effect.andThen(
                      once.run(() => Effect.void),
                      once.run(push)
                    )
                }
              : once
          }
        }
      }
    }
  }
]

const isOfTurn = ({ native }: ChatCall): boolean =>
  JSON.stringify(native.body["messages"]).includes("in a turn")
