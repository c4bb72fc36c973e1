/** Adds the hashes of new migrations to packages/sql/migrations.json. Existing hashes never change. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { migrations } from "../packages/sql/src/domains.ts"
import { hashMigrations } from "../packages/sql/test/migrations/hashMigrations.ts"

const manifest = join(import.meta.dirname, "../packages/sql/migrations.json")
const shipped: Readonly<Record<string, string>> = JSON.parse(readFileSync(manifest, "utf8"))
const newMigrations = Object.keys(migrations).filter((name) => !Object.hasOwn(shipped, name))
writeFileSync(
  manifest,
  `${JSON.stringify({ ...hashMigrations(migrations), ...shipped }, null, 2)}\n`
)
console.log(
  newMigrations.length === 0 ? "no migration is new" : `added ${newMigrations.join(", ")}`
)
