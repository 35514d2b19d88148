using System.Globalization;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>The applications that this host is primary of, by name and by topic. Core thread.</summary>
/// <param name="context">The host's shared services.</param>
/// <param name="handler">Told of what its primaries commit.</param>
/// <param name="generationMin">The generation in which a new application begins.</param>
internal sealed class ApplicationTable(HostContext context, IPrimaryHandler handler, uint generationMin)
{
    private readonly SortedDictionary<string, ApplicationPrimary> _byName = new(StringComparer.Ordinal);
    private readonly SortedDictionary<uint, ApplicationPrimary> _byTopic = [];
    private uint _lastTopic;
    private int _creating;

    /// <summary>All applications, by name.</summary>
    public IReadOnlyCollection<ApplicationPrimary> All => _byName.Values;

    /// <summary>Called when an application was added, as it is in the store.</summary>
    public Action<ApplicationPrimary, StoredApplication>? OnAdded { get; set; }

    /// <summary>Called with the name of a created application and its creator.</summary>
    public Action<string, string>? OnCreated { get; set; }

    public ApplicationPrimary? Find(string application) => _byName.GetValueOrDefault(application);

    public ApplicationPrimary? Find(uint topic) => _byTopic.GetValueOrDefault(topic);

    /// <summary>The existing applications of an interest; unknown names are skipped.</summary>
    public IEnumerable<ApplicationPrimary> Of(IEnumerable<string> interest) => interest.Select(Find).OfType<ApplicationPrimary>();

    /// <summary>Adds an application from the store's state.</summary>
    public void Add(StoredApplication stored)
    {
        var primary = new ApplicationPrimary(context, stored, handler);
        _byName.Add(stored.Name, primary);
        _byTopic.Add(stored.Topic, primary);
        OnAdded?.Invoke(primary, stored);
        primary.Start();
    }

    /// <summary>Creates an application; <paramref name="done"/> gets null, or the refusal.</summary>
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

        int count = _byName.Keys.Count(a => CompanionName.OwnerOf(a) is null);
        if (count + _creating >= context.Options.ApplicationsMax)
        {
            string text = string.Create(
                CultureInfo.InvariantCulture, $"The host has {count} applications, and may have no more.");
            done(new Refusal(ErrorCode.TooLarge, text));
            return;
        }

        Make(name, actor, done);
    }

    /// <summary>
    /// The application; a companion that is not there is made for an owner that is. <paramref name="done"/> runs once, now or later, with
    /// one of both.
    /// </summary>
    public void FindOrMake(string name, string actor, Action<ApplicationPrimary?, Refusal?> done)
    {
        if (Find(name) is { } primary)
        {
            done(primary, null);
            return;
        }

        if (CompanionName.OwnerOf(name) is not { } owner || Find(owner) is null)
        {
            done(null, new Refusal(ErrorCode.UnknownApplication, $"There is no application '{name}'. Look for a typing error."));
            return;
        }

        // Two first definitions at once: the second finds what the first made.
        Make(name, actor, refusal => done(Find(name), Find(name) is null ? refusal : null));
    }

    private void Make(string name, string actor, Action<Refusal?> done)
    {
        // Other creations may be in flight, so their topics count too.
        uint topic = _lastTopic = ApplicationCreation.NextTopic(_byTopic.Keys.Append(_lastTopic));
        NewApplication application = ApplicationCreation.Application(topic, name, generationMin);
        var batch = new CommitBatch
        {
            Applications = [application],
            Audit = [ApplicationCreation.Audit(name, actor, context.Clock.UnixMicros, string.Empty)],
        };
        bool isTaken = context.Store.Commit(batch, context.OnCore<CommitResult>(result =>
        {
            _creating--;
            if (result.IsDone)
            {
                Add(new StoredApplication(topic, name, application.Generation, null, default, [], []));
                OnCreated?.Invoke(name, actor);
            }

            done(result.IsDone ? null : _byName.ContainsKey(name) ? Exists(name) : NotCreated(result));
        }));
        _creating += isTaken ? 1 : 0;
        if (!isTaken)
        {
            done(StoreAnswer.Busy);
        }
    }

    private static Refusal Exists(string name) => new(ErrorCode.AlreadyExists, $"The application '{name}' is there already.");

    private static Refusal NotCreated(CommitResult result) =>
        new(
            result.Status == StoreStatus.Full ? ErrorCode.Busy : ErrorCode.StoreFailed,
            $"The application was not created: {result.Reason}");
}

/// <summary>Builds the parts of an application's creation: topic number, application and audit entry. Pure.</summary>
internal static class ApplicationCreation
{
    /// <summary>The action name in the audit.</summary>
    public const string Action = "application.create";

    /// <summary>The number for a new application: above all existing ones, since topics are never reused.</summary>
    public static uint NextTopic(IEnumerable<uint> topics) => topics.DefaultIfEmpty().Max() + 1;

    /// <summary>The new application.</summary>
    /// <param name="topic">Its topic number.</param>
    /// <param name="name">Its name.</param>
    /// <param name="generation">Its generation; see <see cref="HostState.GenerationMin"/>.</param>
    public static NewApplication Application(uint topic, string name, uint generation) => new(topic, name, generation);

    /// <summary>The audit entry.</summary>
    public static AuditEntry Audit(string name, string actor, long unixMicros, string note) =>
        new(unixMicros, actor, Action, name, null, note);
}
