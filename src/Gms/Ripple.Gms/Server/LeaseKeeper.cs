using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;

namespace Ripple.Gms.Server;

/// <summary>
/// The lease of a host whose store is in a database: waits for it as a standby, and renews it over a session and on a thread of its own.
/// Any thread.
/// </summary>
internal sealed class LeaseKeeper : IHostLease, IDisposable
{
    // That a database is still away is told again at times.
    private const long AwayLogMs = 300_000;

    private readonly PostgresAddress _address;
    private readonly LeaseTimes _times;
    private readonly ILogger _logger;
    private readonly TaskCompletionSource _lost = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly AutoResetEvent _wake = new(false);
    private readonly Thread _thread;
    private volatile LeaseHolder _self;
    private volatile Deadline _deadline;
    private volatile bool _isStopping;
    private PostgresLease? _session;

    private LeaseKeeper(
        PostgresAddress address, LeaseHolder self, LeaseTimes times, PostgresLease session, Deadline deadline, ILogger logger)
    {
        _address = address;
        _self = self;
        _times = times;
        _session = session;
        _deadline = deadline;
        _logger = logger;
        _thread = new Thread(Renew) { Name = "ripple lease", IsBackground = true };
        _thread.Start();
    }

    /// <inheritdoc/>
    public bool IsHeld => !_deadline.IsPassed;

    /// <summary>Completes when another host has the lease.</summary>
    public Task Lost => _lost.Task;

    /// <summary>Takes the lease; waits as a standby while another host has it.</summary>
    /// <param name="address">The database.</param>
    /// <param name="self">This run of this host.</param>
    /// <param name="patienceMs">
    /// How long a database that does not answer is asked again at the beginning; null for ever, as a standby does that has seen a leader.
    /// </param>
    /// <param name="times">The times; null for the defaults.</param>
    /// <param name="onStandby">Called with who leads, each time the database says so. What it throws ends the wait.</param>
    /// <param name="logger">Receives what a standby meets.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="StoreException">The database cannot be used, or refuses.</exception>
    /// <exception cref="GmsServerException">The host that leads has this host's name.</exception>
    public static async Task<LeaseKeeper> TakeAsync(
        PostgresAddress address,
        LeaseHolder self,
        int? patienceMs,
        LeaseTimes? times,
        Func<LeaseHolder, Task> onStandby,
        ILogger logger,
        CancellationToken cancellationToken)
    {
        times ??= LeaseTimes.Default;
        PostgresLease? session = patienceMs is { } ms ? OpenFirst(address, ms) : null;
        LeaseHolder? leader = null;
        long? awayLogDueMs = null;
        // Nobody is sent here before this host listens as the leader.
        LeaseHolder taker = self with { Endpoint = "" };
        try
        {
            while (true)
            {
                bool hasAnswered = true;
                int waitMs = times.StandbyMs;
                try
                {
                    session ??= PostgresLease.Open(address);
                    var deadline = Deadline.From(times);
                    (LeaseHolder holder, int leftMs) = session.Take(taker, times.LeaseMs);
                    // What ends sooner is asked for when it has ended.
                    waitMs = Math.Clamp(leftMs + 1, 1, times.StandbyMs);
                    awayLogDueMs = null;
                    if (holder.Id == self.Id && deadline.IsPassed)
                    {
                        // It took too long to be told so: asked again, it is renewed.
                        continue;
                    }

                    if (holder.Id == self.Id)
                    {
                        var keeper = new LeaseKeeper(address, taker, times, session, deadline, logger);
                        session = null;
                        return keeper;
                    }

                    if (holder != leader)
                    {
                        leader = holder;
                        RefuseNamesake(self, holder);
                    }
                }
                catch (Exception e) when (leader is null && patienceMs is not null && PostgresSession.IsDatabase(e))
                {
                    throw NotOpened(address, e);
                }
                catch (Exception e) when (
                    (leader is not null || patienceMs is null) && (e is StoreException || PostgresSession.IsDatabase(e)))
                {
                    if (awayLogDueMs is not { } dueMs || Environment.TickCount64 >= dueMs)
                    {
                        HostLog.LeaseUnknown(logger, address.ToString(), PostgresAddress.Describe(e));
                        awayLogDueMs = Environment.TickCount64 + AwayLogMs;
                    }

                    session?.Dispose();
                    session = null;
                    hasAnswered = false;
                }

                if (hasAnswered)
                {
                    await onStandby(leader!).ConfigureAwait(false);
                }

                await Task.Delay(waitMs, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            session?.Dispose();
        }
    }

    /// <summary>From now on, and not before, the endpoint that nodes connect to is told with the lease.</summary>
    public void SetEndpoint(string endpoint)
    {
        _self = _self with { Endpoint = endpoint };
        _wake.Set();
    }

    /// <summary>Gives the lease back, if it is still this host's. After the store is closed.</summary>
    public void Dispose()
    {
        _isStopping = true;
        _wake.Set();
        _thread.Join();
        _deadline = Deadline.Passed;
        try
        {
            _session?.Return(_self);
        }
        catch (Exception e) when (PostgresSession.IsDatabase(e))
        {
            // It ends by itself.
        }

        _session?.Dispose();
        _wake.Dispose();
    }

    private static PostgresLease OpenFirst(PostgresAddress address, int patienceMs)
    {
        try
        {
            return PostgresSession.OpenPatiently(() => PostgresLease.Open(address), patienceMs);
        }
        catch (Exception e) when (PostgresSession.IsDatabase(e))
        {
            throw NotOpened(address, e);
        }
    }

    /// <summary>Without the cause, whose message may quote what was connected with.</summary>
    private static StoreException NotOpened(PostgresAddress address, Exception e) => new(
        $"The store in {address} cannot be opened: {PostgresAddress.Describe(e)}. "
            + "Look whether the database runs, and whether host, user, password and rights are right.");

    /// <summary>A name is in certificates, and is how the hosts of a cluster are told apart.</summary>
    private static void RefuseNamesake(LeaseHolder self, LeaseHolder leader)
    {
        if (leader.Name == self.Name && leader.Endpoint.Length > 0 && self.Endpoint.Length > 0 && leader.Endpoint != self.Endpoint)
        {
            throw new GmsServerException(
                $"The host at {leader.Endpoint} leads this cluster, and has the name '{leader.Name}' too. Give each its own (--name).");
        }
    }

    private void Renew()
    {
        bool isAway = false;
        while (!_isStopping)
        {
            try
            {
                _session ??= PostgresLease.Open(_address);
                var deadline = Deadline.From(_times);
                if (!_session.TryRenew(_self, _times.LeaseMs))
                {
                    _deadline = Deadline.Passed;
                    _lost.TrySetResult();
                    return;
                }

                _deadline = deadline;
                if (isAway)
                {
                    HostLog.LeaseRenewed(_logger, _address.ToString());
                }

                isAway = false;
            }
            catch (Exception e) when (e is StoreException || PostgresSession.IsDatabase(e))
            {
                if (!isAway)
                {
                    HostLog.LeaseUnknown(_logger, _address.ToString(), PostgresAddress.Describe(e));
                }

                isAway = true;
                _session?.Dispose();
                _session = null;
            }

            _wake.WaitOne(_times.RenewMs);
        }
    }

    /// <summary>
    /// A moment by two clocks: the monotonic one, and the time of day, which runs on while the machine is suspended and may jump. It has
    /// passed when it has by either.
    /// </summary>
    private sealed record Deadline(long Timestamp, DateTime Utc)
    {
        public static Deadline Passed { get; } = new(long.MinValue, DateTime.MinValue);

        public bool IsPassed => Stopwatch.GetTimestamp() >= Timestamp || DateTime.UtcNow >= Utc;

        /// <summary>The deadline of a lease that is asked for now.</summary>
        public static Deadline From(LeaseTimes times)
        {
            int ms = times.LeaseMs - (times.LeaseMs / LeaseTimes.MarginPart);
            return new Deadline(Stopwatch.GetTimestamp() + (ms * Stopwatch.Frequency / 1_000), DateTime.UtcNow.AddMilliseconds(ms));
        }
    }
}

/// <summary>The times of a lease.</summary>
/// <param name="LeaseMs">How long a lease is, in milliseconds. Default 3,000.</param>
/// <param name="RenewMs">How often it is renewed. Default 1,000.</param>
/// <param name="StandbyMs">How often a standby asks for it. Default 250.</param>
internal sealed record LeaseTimes(int LeaseMs = 3_000, int RenewMs = 1_000, int StandbyMs = 250)
{
    /// <summary>The part of a lease, one in so many, by which the clocks of a host and of the database may differ in its course.</summary>
    public const int MarginPart = 10;

    /// <summary>The defaults.</summary>
    public static LeaseTimes Default { get; } = new();
}
