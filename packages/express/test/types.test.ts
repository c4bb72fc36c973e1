import type { Listener } from "@signalbox/express"
import type { RequestHandler } from "express"
import type { RequestHandler as RequestHandler4 } from "express-4"
import { expectTypeOf, it } from "vitest"

it("has the type of a request handler of both major versions", () => {
  expectTypeOf<Listener>().toExtend<RequestHandler>()
  expectTypeOf<Listener>().toExtend<RequestHandler4>()
})
