/** The machines that interns run on: they outlive every process that asks something of them. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { listen } from "@signalbox/testing/contracts"
import { failingRun, type ToldMachine } from "./internMeeting.ts"

export interface InternMachines {
  readonly url: string
  /** In the order in which it came. */
  readonly told: ReadonlyArray<ToldMachine>
  readonly close: () => Promise<void>
}

export const internMachines = async (): Promise<InternMachines> => {
  const told: Array<ToldMachine> = []
  const { close, origin } = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const asked: ToldMachine = JSON.parse(body)
        told.push(asked)
        const fails = asked.call === "step 1" && asked.run === failingRun
        return response.writeHead(fails ? 500 : 204).end()
      })
    })
  )
  return { url: `${origin}/`, told, close }
}
