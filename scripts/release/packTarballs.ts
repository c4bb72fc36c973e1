/** Packs every package into the folder that the first argument names. */
import { packPackages } from "../packedProject.ts"

const [, , directory] = process.argv
if (directory === undefined)
  throw new Error("name a folder: node scripts/release/packTarballs.ts <folder>")
await packPackages(directory)
