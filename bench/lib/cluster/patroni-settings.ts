/** Settings of Patroni and etcd on three hosts. */

type Addresses = readonly (readonly [name: string, address: string])[]

/** Command of one etcd. Its election waits for a slow machine. */
export function etcdCommand(name: string, folder: string, all: Addresses): string[] {
  const address = all.find(([other]) => other === name)![1]
  const [peers, clients] = [`http://${address}:2380`, `http://${address}:2379`]
  const settings = {
    name,
    'data-dir': `${folder}/data`,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'initial-cluster': all.map(([each, at]) => `${each}=http://${at}:2380`).join(','),
    'heartbeat-interval': '200',
    'election-timeout': '2000',
  }
  return ['etcd', ...Object.entries(settings).map(([option, value]) => `--${option}=${value}`)]
}

/**
 * Settings of one Patroni. 20 seconds is the least `ttl` that it accepts. `synchronous_mode_strict` stops writes while
 * no standby has them; `primary_start_timeout` 0 promotes a standby instead of waiting for the recovery of a primary
 * that crashed. A standby follows the new primary after `wal_retrieve_retry_interval`: writes wait for it.
 */
export function patroniSettings(
  { name, address, folder, programs }: Record<'name' | 'address' | 'folder' | 'programs', string>,
  all: Addresses,
  password: string,
) {
  const everyone = 'all 0.0.0.0/0 scram-sha-256'
  return {
    scope: 'mien',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { hosts: all.map(([, at]) => `${at}:2379`) },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        primary_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 60,
            shared_buffers: '48MB',
            max_wal_size: '192MB',
            min_wal_size: '64MB',
            wal_retrieve_retry_interval: '1s',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: `${folder}/data`,
      bin_dir: programs,
      pgpass: `${folder}/pgpass`,
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
      parameters: { unix_socket_directories: folder, logging_collector: 'off' },
      pg_hba: [`local all all trust`, `host replication ${everyone}`, `host all ${everyone}`],
    },
  }
}
