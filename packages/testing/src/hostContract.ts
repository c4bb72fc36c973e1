/** A test suite for adapters, on a real server of their framework. */
import { afterAll, beforeAll, describe, expect } from "vitest"
import { testRequestBodies } from "./hostContract/testRequestBodies.ts"
import { testShutdown } from "./hostContract/testShutdown.ts"
import { testCompletion } from "./hostContract/testCompletion.ts"
import type { HostContractOptions, MakeHarness } from "./hostContract/HostHarness.ts"
import { testEventStreams } from "./hostContract/testEventStreams.ts"
import { testInterns } from "./hostContract/testInterns.ts"
import { testMounting } from "./hostContract/testMounting.ts"
import { testDryRuns } from "./hostContract/testDryRuns.ts"
import { testRequestIds } from "./hostContract/testRequestIds.ts"
import { testVideos } from "./hostContract/testVideos.ts"
import { testInternChats } from "./hostContract/testInternChats.ts"
import { testUsers } from "./hostContract/testUsers.ts"

/**
 * Declares the suite for one host. It tests interns and videos with the public client, `@openrouter/sdk`. For example:
 *
 * ```ts
 * hostContract("Connect 3", ({ instance, mounts }) => {
 *   const app = connect()
 *   app.use((request, response, next) => {
 *     response.setHeader("x-host", "here")
 *     Object.assign(request, { user: request.headers["x-user"] })
 *     next()
 *   })
 *   app.use(signalbox(instance, { mount: mounts.join("") }))
 *   app.use(`${mounts.join("")}/own`, (request, response) => request.pipe(response))
 *   return listen(http.createServer(app))
 * }, { findUser: (source) => Object(source).user })
 * ```
 */
export const hostContract = (
  name: string,
  makeHarness: MakeHarness,
  traits: HostContractOptions = {}
): void => {
  describe(`host: ${name}`, { timeout: 120_000 }, () => {
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
      testMounting(makeHarness, traits)
    })
    describe("bodies", () => {
      testRequestBodies(makeHarness, traits)
    })
    describe("completion", () => {
      testCompletion(makeHarness)
    })
    describe("users of the application", () => {
      testUsers(makeHarness, traits)
    })
    describe("request ids", () => {
      testRequestIds(makeHarness, traits)
    })
    describe("shutdown", () => {
      testShutdown(makeHarness)
    })
    describe("interns", () => {
      testInterns(makeHarness, traits)
    })
    describe("videos", () => {
      testVideos(makeHarness, traits)
    })
    describe("dry runs", () => {
      testDryRuns(makeHarness)
    })
    describe("event streams", () => {
      testEventStreams(makeHarness, traits)
    })
    describe("chats with interns", () => {
      testInternChats(makeHarness, traits)
    })
  })
}
