/** What a secret may be called. Source: wire, parameter `name`; semantics D2. */
export const isSecretName = (name: string): boolean => name.length <= 255 && pattern.test(name)

const pattern = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
