using Npgsql;

namespace Ripple.Gms.Store.Postgres;

/// <summary>A session of reads, made when it is needed, and anew when it broke.</summary>
/// <param name="address">The database.</param>
/// <param name="name">What the session is called in the database.</param>
/// <param name="timeoutMs">How long a lock is waited for.</param>
/// <param name="onDamaged">Told what was found damaged.</param>
internal sealed class PostgresReadConnection(PostgresAddress address, string name, int timeoutMs, Action<string> onDamaged)
    : IStoreConnection
{
    private PostgresSession? _session;

    /// <summary>A read whose connection broke is done once more over another: it changes nothing.</summary>
    public StoreTrouble? Read(Action<IStoreReader> read)
    {
        bool isAgain = false;
        while (true)
        {
            bool isNew = _session is null;
            try
            {
                _session ??= PostgresSession.Open(address, name, timeoutMs, isReadOnly: true);
                read(new PostgresReader(_session));
                return null;
            }
            catch (StoreDamageException e)
            {
                onDamaged(e.Message);
                return new(StoreStatus.Damaged, e.Message);
            }
            catch (PostgresException e) when (e.SqlState == PostgresErrorCodes.LockNotAvailable)
            {
                return new(StoreStatus.Busy, "Another session kept the store locked. Try again.");
            }
            catch (Exception e) when (e is NpgsqlException or StoreException or TimeoutException or InvalidOperationException
                or IOException or NullReferenceException or System.Net.Sockets.SocketException)
            {
                if (_session is not { IsOpen: true })
                {
                    Dispose();
                    if (!isNew && !isAgain)
                    {
                        isAgain = true;
                        continue;
                    }
                }

                return new(
                    StoreStatus.Failed, $"The store cannot be read: {address.Tell(e)}. Look after the database; try again.");
            }
        }
    }

    public void Dispose()
    {
        _session?.Dispose();
        _session = null;
    }
}
