/** Writes the tables of docs/reference/settings.md. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { toSettingsPage } from "./toSettingsPage.ts"

const path = join(import.meta.dirname, "../docs/reference/settings.md")
writeFileSync(path, toSettingsPage(readFileSync(path, "utf8")))
