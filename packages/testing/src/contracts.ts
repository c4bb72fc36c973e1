/** The contract suites: what every implementation of a port must do, as tests it can run itself. */
export { AccountStoreContract } from "./storeContract/AccountStoreContract.ts"
export { ApiKeyStoreContract } from "./storeContract/ApiKeyStoreContract.ts"
export { AtomicallyContract } from "./storeContract/AtomicallyContract.ts"
export { GenerationStoreContract } from "./storeContract/GenerationStoreContract.ts"
export { LedgerStoreContract } from "./storeContract/LedgerStoreContract.ts"
export { hostContract } from "./hostContract.ts"
export { listen } from "./hostContract/listen.ts"
export type {
  HostTraits,
  MakeHarness,
  Parser,
  ParserKind,
  Placement,
  RunningHost
} from "./hostContract/HostHarness.ts"
export { upstreamContract, type UpstreamTraits } from "./upstreamContract.ts"
