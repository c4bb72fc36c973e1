/** Providers that are called with other credentials than they should be. */
import type { ChatCall, Upstream } from "@signalbox/core/upstream"
import * as Struct from "effect/Struct"
import type { PlantedFault } from "./PlantedFault.ts"

const replaceCalls =
  (change: (call: ChatCall) => ChatCall) =>
  (upstream: Upstream): Upstream =>
    upstream.chat === undefined
      ? upstream
      : {
          ...upstream,
          chat: {
            ...upstream.chat,
            complete: (call) => upstream.chat!.complete(change(call)),
            stream: (call) => upstream.chat!.stream(change(call))
          }
        }

export const credentialFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "a connection to a provider keeps the credential of the call before",
    breaks: "credentialStaysWithItsOwner",
    upstream: (upstream) => {
      let latest: ChatCall["credential"]
      return replaceCalls((call) => {
        latest = call.credential ?? latest
        return latest === undefined ? call : { ...call, credential: latest }
      })(upstream)
    }
  },
  {
    name: "a call on a customer's credential goes out with that of the host",
    breaks: "booksMatchBills",
    upstream: replaceCalls((call) => Struct.omit(call, ["credential"]))
  }
]
