/** Provides the Postgres server of `DATABASE_URL`, or one that runs as long as the tests. */
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
