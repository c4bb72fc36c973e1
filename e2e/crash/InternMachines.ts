/** The machines that interns run on. They outlive the processes that call them. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { listen } from "@signalbox/testing/contracts"
import { failingRun, type MachineCall } from "./InternProcessConfig.ts"

export interface InternMachines {
  readonly url: string
  /** The received calls, in order. */
  readonly calls: ReadonlyArray<MachineCall>
  readonly close: () => Promise<void>
}

export const startInternMachines = async (): Promise<InternMachines> => {
  const received: Array<MachineCall> = []
  const { close, origin } = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const requested: MachineCall = JSON.parse(body)
        received.push(requested)
        const fails = requested.call === "step 1" && requested.run === failingRun
        return response.writeHead(fails ? 500 : 204).end()
      })
    })
  )
  return { url: `${origin}/`, calls: received, close }
}
