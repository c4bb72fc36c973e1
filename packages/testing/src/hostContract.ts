/** What every host adapter must do, tried on a real server of its framework. */
import { afterAll, beforeAll, describe, expect } from "vitest"
import { bodies } from "./hostContract/bodies.ts"
import { closing } from "./hostContract/closing.ts"
import { endings } from "./hostContract/endings.ts"
import type { HostTraits, MakeHarness } from "./hostContract/HostHarness.ts"
import { interns } from "./hostContract/interns.ts"
import { mounting } from "./hostContract/mounting.ts"
import { plans } from "./hostContract/plans.ts"
import { requestIds } from "./hostContract/requestIds.ts"
import { videos } from "./hostContract/videos.ts"
import { internChats } from "./hostContract/internChats.ts"

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
  traits: HostTraits = {}
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
      mounting(makeHarness)
    })
    describe("bodies", () => {
      bodies(makeHarness, traits)
    })
    describe("endings", () => {
      endings(makeHarness)
    })
    describe("request ids", () => {
      requestIds(makeHarness)
    })
    describe("closing", () => {
      closing(makeHarness)
    })
    describe("interns", () => {
      interns(makeHarness, traits)
    })
    describe("videos", () => {
      videos(makeHarness, traits)
    })
    describe("plans", () => {
      plans(makeHarness)
    })
    describe("interns that are talked to", () => {
      internChats(makeHarness, traits)
    })
  })
}
