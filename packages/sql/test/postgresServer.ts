/** The Postgres of the tests: that of `DATABASE_URL`, or one that lives as long as they do. */
import type { TestProject } from "vitest/node"
import { startPostgres } from "./startPostgres.ts"

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
  const { stop, url } = await startPostgres(["fsync=off", "max_connections=300"])
  provide("postgresUrl", url)
  return stop
}
