/** Declares the tests of a client: in full each scenario on one host with every dialect, and pairwise on the others. */
import { describe, expect, test } from "vitest"
import { pickScope } from "../../vitest.scope.ts"
import { findCredits } from "../support/findCredits.ts"
import { hosts, nodeHost } from "../support/hosts.ts"
import { pickHosts } from "../support/pickHosts.ts"
import type { ChatClient } from "./ChatClient.ts"
import { chatScenarios, type Form } from "./chatScenarios.ts"
import { clientDialects, startClientServer } from "./startClientServer.ts"

const forms: ReadonlyArray<Form> = ["whole", "streamed"]

export const testChatClient = (file: string, client: ChatClient): void => {
  const cases = chatScenarios
    .filter(({ appliesTo = () => true }) => appliesTo(client))
    .flatMap((scenario) =>
      forms
        .filter(
          (form) =>
            (scenario.form ?? form) === form && !(client.onlyStreams === true && form === "whole")
        )
        .map((form) => ({ ...scenario, form }))
    )

  // In process the host plays no part.
  const served = client.isInProcess === true ? [nodeHost] : pickHosts(file)
  describe.each(served)(`${client.name}, through $name`, (host) => {
    const at = hosts.indexOf(host)
    const isEveryDialect = pickScope({ full: at === 0, sample: false })
    const trials = cases.flatMap((scenario, index) =>
      clientDialects
        .filter((_, place) => isEveryDialect || place === (at + index) % clientDialects.length)
        .map((dialect) => {
          const title = `${scenario.name}, ${scenario.form}, of ${dialect}`
          return [title, { ...scenario, dialect }] as const
        })
    )

    test.each(trials)("%s", async (_, { dialect, form, run }) => {
      const started = await startClientServer(host, dialect)
      await run({
        ...started,
        client,
        form,
        ask: (changes = {}) => {
          const asking = { ...started.asking, ...changes }
          const pieces: Array<string> = []
          const answer =
            form === "whole"
              ? client.ask(asking)
              : client.stream(asking, (text) => void pieces.push(text))
          return {
            pieces,
            answer,
            hasText: (text) => expect.poll(() => pieces.join("")).toBe(text)
          }
        }
      })
      const { instance } = started.server
      await expect.poll(() => findCredits(instance)).toMatchObject({ reserved: 0n })
    })
  })
}
