import { afterEach, describe, expect, it } from 'vitest'
import { checkBrokerUrl, redactBrokerUrl, withEnvironmentPassword } from '../../src/broker/connection.js'
import { errorText } from '../../src/commands/print-error.js'

describe('broker addresses', () => {
  afterEach(() => {
    delete process.env['SPICA_BROKER_PASSWORD']
  })

  it('accepts redis and rediss only', () => {
    expect(checkBrokerUrl('rediss://u:p@h:1/0')).toBe('rediss://u:p@h:1/0')
    for (const url of ['http://h', 'h:6379', '', 'file:///etc/passwd'])
      expect(() => checkBrokerUrl(url)).toThrow('redis://')
  })

  it('never show secrets, in messages and stacks neither', () => {
    expect(redactBrokerUrl('rediss://me:hush@h:1/0?token=hush')).toBe('rediss://***:***@h:1/0')
    expect(redactBrokerUrl('hush')).not.toContain('hush')
    expect(errorText(new Error('connect rediss://me:hush@h failed'), true)).not.toContain('hush')
  })

  it('take a password from the environment, unless they have one', () => {
    process.env['SPICA_BROKER_PASSWORD'] = 'p/+='
    expect(withEnvironmentPassword('redis://h:1')).toBe('redis://:p%2F%2B%3D@h:1')
    expect(withEnvironmentPassword('redis://:own@h:1')).toBe('redis://:own@h:1')
  })
})
