/** The lowest versions of hosts that are supported, which npm installs outside the repository, because only the full suite needs them. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { installWithNpm } from "./scripts/packedProject.ts"

/** Each with the packages that it is tested with. */
export const lowestVersions = {
  express4: { express: "4.18.0" },
  express5: { express: "5.0.0" },
  fastify4: { fastify: "4.0.0" },
  fastify5: { fastify: "5.0.0" },
  h3: { h3: "2.0.1" },
  // Older ones lack what the server for Node needs.
  hono: { hono: "4.7.0", "@hono/node-server": "2.1.9" },
  nestExpress: {
    "@nestjs/core": "10.0.0",
    "@nestjs/common": "10.0.0",
    "@nestjs/platform-express": "10.0.0",
    express: "4.18.2",
    "reflect-metadata": "0.1.13",
    rxjs: "7.8.1"
  },
  nestFastify: {
    "@nestjs/core": "10.0.0",
    "@nestjs/common": "10.0.0",
    "@nestjs/platform-fastify": "10.0.0",
    "reflect-metadata": "0.1.13",
    rxjs: "7.8.1"
  },
  next: { next: "14.0.0", react: "18.2.0", "react-dom": "18.2.0" },
  nitro: { nitro: "3.0.260311-beta" },
  sveltekit: {
    "@sveltejs/kit": "2.4.0",
    "@sveltejs/adapter-node": "5.0.0",
    "@sveltejs/vite-plugin-svelte": "3.1.2",
    svelte: "4.2.20",
    vite: "5.4.0"
  }
}

/** Returns a folder with the packages, which exists until the test file ends. */
export const installLowest = (host: keyof typeof lowestVersions): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lowest-")))
  installWithNpm(folder, lowestVersions[host])
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}
