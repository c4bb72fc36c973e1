/** Hashes the statements of each migration on both databases, to detect changes. */
import { createHash } from "node:crypto"
import { dialects } from "../../src/connection/dialect.ts"
import type { Migration } from "../../src/migrations/Migration.ts"

export const hashMigrations = (
  migrations: Readonly<Record<string, Migration>>
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, statements]) => [
      name,
      createHash("sha256")
        .update(JSON.stringify(dialects.map(statements)))
        .digest("hex")
    ])
  )
