/** The Postgres of the tests: that of `DATABASE_URL`, or one that lives as long as they do. */
import type { TestProject } from "vitest/node"
import { OwnPostgres } from "./OwnPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    readonly postgresUrl: string
  }
}

export default async ({ provide }: TestProject): Promise<(() => Promise<void>) | void> => {
  if (process.env["DATABASE_URL"]) {
    provide("postgresUrl", process.env["DATABASE_URL"])
    return
  }
  const server = await OwnPostgres.start().catch((cause: unknown) => {
    throw new Error("set DATABASE_URL to a Postgres that runs, for the tests", { cause })
  })
  provide("postgresUrl", server.url)
  return () => server[Symbol.asyncDispose]()
}
