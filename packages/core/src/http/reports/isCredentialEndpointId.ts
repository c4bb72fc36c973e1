/** Whether what is known of health under this id is that of a customer's own credential, or of shared capacity. */
export const isCredentialEndpointId = (id: string): boolean => /#[0-9a-f-]{36}$/.test(id)
