/** What every host adapter must do, tried on a real server of its framework. */
import { afterAll, beforeAll, describe, expect } from "vitest"
import { testRequestBodies } from "./hostContract/testRequestBodies.ts"
import { testShutdown } from "./hostContract/testShutdown.ts"
import { testCompletion } from "./hostContract/testCompletion.ts"
import type { HostContractOptions, MakeHarness } from "./hostContract/HostHarness.ts"
import { testInterns } from "./hostContract/testInterns.ts"
import { testMounting } from "./hostContract/testMounting.ts"
import { testDryRuns } from "./hostContract/testDryRuns.ts"
import { testRequestIds } from "./hostContract/testRequestIds.ts"
import { testVideos } from "./hostContract/testVideos.ts"
import { testInternChats } from "./hostContract/testInternChats.ts"

/**
 * Declares the suite for one host; it asks for interns and videos by the public client, `@openrouter/sdk`. An adapter for another framework is ready when this passes:
 *
 * ```ts
 * hostContract("Connect 3", ({ box, mounts }) => {
 *   const app = connect()
 *   app.use((_request, response, next) => {
 *     response.setHeader("x-host", "here")
 *     next()
 *   })
 *   app.use(signalbox(box, { mount: mounts.join("") }))
 *   app.use(`${mounts.join("")}/own`, (request, response) => request.pipe(response))
 *   return listen(http.createServer(app))
 * })
 * ```
 */
export const hostContract = (
  name: string,
  makeHarness: MakeHarness,
  traits: HostContractOptions = {}
): void => {
  describe(`host: ${name}`, { timeout: 30_000 }, () => {
    const rejections: Array<unknown> = []
    const record = (reason: unknown): void => void rejections.push(reason)
    beforeAll(() => {
      process.on("unhandledRejection", record)
      const { installed } = traits
      expect(installed?.version.split(".")[0]).toBe(installed?.major.toString())
    })
    afterAll(() => {
      process.off("unhandledRejection", record)
      expect(rejections).toEqual([])
    })

    describe("mounting", () => {
      testMounting(makeHarness)
    })
    describe("bodies", () => {
      testRequestBodies(makeHarness, traits)
    })
    describe("endings", () => {
      testCompletion(makeHarness)
    })
    describe("request ids", () => {
      testRequestIds(makeHarness)
    })
    describe("closing", () => {
      testShutdown(makeHarness)
    })
    describe("interns", () => {
      testInterns(makeHarness, traits)
    })
    describe("videos", () => {
      testVideos(makeHarness, traits)
    })
    describe("plans", () => {
      testDryRuns(makeHarness)
    })
    describe("interns that are talked to", () => {
      testInternChats(makeHarness, traits)
    })
  })
}
