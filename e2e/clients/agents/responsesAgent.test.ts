/** A terminal coding agent that speaks the Responses API does its work on real files, at providers of each API. */
import { fault } from "@signalbox/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { getProperty } from "../../support/getProperty.ts"
import type { Host } from "../../support/hosts.ts"
import { pickHosts } from "../../support/pickHosts.ts"
import { listToolResults } from "../listToolResults.ts"
import { type ClientDialect, clientDialects, startClientServer } from "../startClientServer.ts"
import { AgentFolder, editedText, originalText } from "./AgentFolder.ts"
import { lastText, toNamespaceSteps } from "./agentSteps.ts"
import { ResponsesAgent } from "./ResponsesAgent.ts"

const task = "Correct the spelling of the greeting."
const results = ["README.md\ngreeting.ts", originalText]

const start = async (host: Host, dialect: ClientDialect) => {
  const { asking, first, second, server } = await startClientServer(host, dialect)
  const folder = new AgentFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const { apiKey, model, root } = asking
  return {
    agent: new ResponsesAgent({ base: `${root}/api/v1`, apiKey, model, folder }),
    folder,
    first,
    second,
    server
  }
}

describe.each(pickHosts(import.meta.filename))("an agent, through $name", (host) => {
  describe.each(clientDialects)("to a provider of %s", (dialect) => {
    test("reads files, edits one and answers", async () => {
      const { agent, first, folder } = await start(host, dialect)
      first.script(...toNamespaceSteps(dialect))
      expect(await agent.run(task)).toBe(lastText)
      expect(folder.text).toBe(editedText)
      expect(agent.requests).toBe(3)
      expect(first.requests).toHaveLength(3)
      const last = first.requests[2]
      expect(listToolResults(dialect, last?.body).slice(0, 2)).toEqual(results)
      expect(last?.raw).toContain("Edited greeting.ts.")
      expect(last?.raw).not.toContain("agent-installation-id")
      // The tool of the provider is known to one API alone.
      expect(last?.raw.includes("web_search")).toBe(dialect === "responses")
    })

    test("asks again when a stream breaks", async () => {
      const { agent, first, folder } = await start(host, dialect)
      const [one, two, three] = toNamespaceSteps(dialect)
      first.script(one, fault.errorEvent(502, ["Now I "]), two, three)
      expect(await agent.run(task)).toBe(lastText)
      expect(folder.text).toBe(editedText)
      expect(agent.requests).toBe(4)
    })

    test("does not notice that a provider is down", async () => {
      const { agent, first, folder, second } = await start(host, dialect)
      const next = clientDialects[(clientDialects.indexOf(dialect) + 1) % clientDialects.length]!
      const [one, , three] = toNamespaceSteps(dialect)
      const [, two] = toNamespaceSteps(next)
      first.script(one, fault.status(503), three)
      second.script(two)
      expect(await agent.run(task)).toBe(lastText)
      expect(folder.text).toBe(editedText)
      expect([first.requests.length, second.requests.length]).toEqual([3, 1])
    })
  })

  test("reaches OpenAI's API with all that it says", async () => {
    const { agent, first } = await start(host, "responses")
    first.script(...toNamespaceSteps("responses"))
    await agent.run(task)
    const [one, , last] = first.requests
    expect(one?.body).toMatchObject({
      store: false,
      include: ["reasoning.encrypted_content"],
      tools: [
        { type: "namespace", tools: [{}, {}, {}] },
        { type: "custom" },
        { type: "web_search" }
      ]
    })
    expect(getProperty(one?.body, "client_metadata")).toBeUndefined()
    expect(last?.raw).toContain('"encrypted_content":"c2VhbGVkLWJ5LXRoZS1hZ2VudA=="')
    expect(last?.raw).toContain('"namespace":"workspace"')
  })
})
