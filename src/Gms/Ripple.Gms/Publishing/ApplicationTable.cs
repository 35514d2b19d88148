using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>The applications this host is primary of, by name and by topic. Core thread.</summary>
internal sealed class ApplicationTable(HostContext context, IPrimaryHandler handler)
{
    private readonly SortedDictionary<string, ApplicationPrimary> _byName = new(StringComparer.Ordinal);
    private readonly SortedDictionary<uint, ApplicationPrimary> _byTopic = [];
    private uint _lastTopic;

    /// <summary>All of them, by name.</summary>
    public IReadOnlyCollection<ApplicationPrimary> All => _byName.Values;

    /// <summary>Told of an application that came.</summary>
    public Action<ApplicationPrimary>? OnAdded { get; set; }

    /// <summary>Told of an application that was created, and by whom.</summary>
    public Action<string, string>? OnCreated { get; set; }

    /// <summary>Another number whenever an application came or committed something.</summary>
    public long Version { get; private set; }

    public ApplicationPrimary? Find(string application) => _byName.GetValueOrDefault(application);

    public ApplicationPrimary? Find(uint topic) => _byTopic.GetValueOrDefault(topic);

    /// <summary>The applications of an interest; what is not there is left out.</summary>
    public IEnumerable<ApplicationPrimary> Of(IEnumerable<string> interest) => interest.Select(Find).OfType<ApplicationPrimary>();

    /// <summary>Takes an application as the store holds it.</summary>
    public void Add(StoredApplication stored)
    {
        var primary = new ApplicationPrimary(context, stored, handler);
        _byName.Add(stored.Name, primary);
        _byTopic.Add(stored.Topic, primary);
        Version++;
        OnAdded?.Invoke(primary);
    }

    /// <summary>Something was committed.</summary>
    public void OnCommitted(int releaseCount) => Version += releaseCount;

    /// <summary>Creates an application; <paramref name="done"/> gets null, or why not.</summary>
    public void Create(string name, string actor, Action<Refusal?> done)
    {
        if (ReleaseNames.CheckApplication(name) is { } wrong)
        {
            done(new Refusal(ErrorCode.InvalidRequest, wrong));
            return;
        }

        if (_byName.ContainsKey(name))
        {
            done(Exists(name));
            return;
        }

        // Others may be on their way to the disk.
        uint topic = _lastTopic = ApplicationCreation.NextTopic(_byTopic.Keys.Append(_lastTopic));
        NewApplication application = ApplicationCreation.Application(topic, name);
        var batch = new CommitBatch
        {
            Applications = [application],
            Audit = [ApplicationCreation.Audit(name, actor, context.Clock.UnixMicros, string.Empty)],
        };
        bool isTaken = context.Store.Commit(batch, context.OnCore<CommitResult>(result =>
        {
            if (result.IsDone)
            {
                Add(new StoredApplication(topic, name, application.Generation, null, default, [], []));
                OnCreated?.Invoke(name, actor);
            }

            done(result.IsDone ? null : _byName.ContainsKey(name) ? Exists(name) : NotCreated(result));
        }));
        if (!isTaken)
        {
            done(StoreAnswer.Busy);
        }
    }

    private static Refusal Exists(string name) => new(ErrorCode.AlreadyExists, $"The application '{name}' is there already.");

    private static Refusal NotCreated(CommitResult result) =>
        new(ErrorCode.StoreFailed, $"The application was not created: {result.Reason}");
}
