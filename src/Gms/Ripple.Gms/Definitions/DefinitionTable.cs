using System.Collections.Immutable;
using Ripple.Engine.Matching;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Definitions;

/// <summary>
/// The definitions in effect of all applications. They are the values of companions, which a host does not keep: after each commit they are
/// read from the store, those that are not known yet. Core thread.
/// </summary>
/// <param name="context">The host's shared services.</param>
internal sealed class DefinitionTable(HostContext context)
{
    private readonly SortedDictionary<string, Reading> _byOwner = new(StringComparer.Ordinal);

    /// <summary>Adds the memory of one application's definitions.</summary>
    public static void AddMemory(MemoryBudget budget) => budget.Add(
        MemoryScope.Application,
        MemoryKind.Retained,
        "definitions",
        HostLimits.Default.DefinitionsMax,
        (sizeof(char) * (PredicateLimits.TextCharsMax + (2 * DefinitionKey.NameCharsMax))) + (4 * MemoryBudget.ObjectBytes));

    /// <summary>Called with the application when other definitions of it are in effect.</summary>
    public Action<string, ApplicationDefinitions>? OnChanged { get; set; }

    /// <summary>What is said while the definitions of an application are being read.</summary>
    public static Refusal BeingRead(string application) =>
        new(ErrorCode.Busy, $"The definitions of '{application}' are being read. Ask again.");

    /// <summary>The definitions of an application; null while they are being read.</summary>
    public ApplicationDefinitions? Find(string application) =>
        _byOwner.TryGetValue(application, out Reading? reading) ? reading.InEffect : ApplicationDefinitions.None;

    /// <summary>
    /// The text of the predicate that a text names, or the text itself if it names none. Null with a refusal while that is not known, or if
    /// there is no predicate of that name.
    /// </summary>
    public string? Resolve(string application, string text, out Refusal? refusal)
    {
        refusal = null;
        ApplicationDefinitions? definitions = Find(application);
        bool isName = DefinitionKey.IsName(text);
        // What is written out may name what is being defined; what is no predicate is refused by whoever binds it.
        bool isKnown = definitions is not null
            || (!isName && !(PredicateParser.TryParse(text, out Predicate? written, out _) && written.UsesDefinitions));
        if (!isKnown)
        {
            refusal = BeingRead(application);
            return null;
        }

        if (!isName)
        {
            return text;
        }

        if (definitions!.Predicates.TryGetValue(text, out NamedPredicate? named))
        {
            return named.Text;
        }

        refusal = new Refusal(
            ErrorCode.InvalidPredicate,
            $"'{application}' has no predicate '{text}'. {NearNames.Say(text, definitions.Predicates.Keys)} "
                + "Set it first, or write it out.");
        return null;
    }

    /// <summary>Takes over what was committed to an application, if it is a companion; at a start, what it has.</summary>
    public void OnCommitted(ApplicationPrimary primary)
    {
        if (CompanionName.OwnerOf(primary.Name) is not { } owner || primary.Committed.Release == 0)
        {
            return;
        }

        if (!_byOwner.TryGetValue(owner, out Reading? reading))
        {
            reading = new Reading(context, primary.Topic, definitions => OnChanged?.Invoke(owner, definitions));
            _byOwner.Add(owner, reading);
        }

        reading.Begin(primary.Committed);
    }

    /// <summary>Called a few times per second: what the store did not give is asked for again.</summary>
    public void OnTick()
    {
        foreach (Reading reading in _byOwner.Values)
        {
            reading.OnTick();
        }
    }

    /// <summary>The definitions of one application, and what of them is still to be read.</summary>
    private sealed class Reading(HostContext context, uint topic, Action<ApplicationDefinitions> onTaken)
    {
        private SortedDictionary<Digest160, string> _texts = [];
        private ReleaseState? _wanted;
        private ApplicationDefinitions _newest = ApplicationDefinitions.None;
        private bool _isAsked;

        /// <summary>Those in effect; null while newer ones are being read.</summary>
        public ApplicationDefinitions? InEffect => _wanted is null ? _newest : null;

        public void Begin(ReleaseState state)
        {
            _wanted = state;
            GoOn();
        }

        public void OnTick()
        {
            if (_wanted is not null && !_isAsked)
            {
                GoOn();
            }
        }

        private void GoOn()
        {
            if (_isAsked)
            {
                return;
            }

            foreach (KeyEntry entry in _wanted!.Keys.Values)
            {
                if (!_texts.ContainsKey(entry.Digest))
                {
                    Digest160 digest = entry.Digest;
                    _isAsked = context.Store.ReadBody(topic, digest, result =>
                    {
                        string? text = TextOf(digest, result);
                        context.Completions.Complete(() => OnRead(digest, text));
                    });
                    return;
                }
            }

            Take(_wanted);
        }

        /// <summary>
        /// What a value says; null if the store did not give it, or gave other bytes: with those a space would be another one, and end its
        /// subscriptions. On the store's thread.
        /// </summary>
        private static string? TextOf(Digest160 digest, ReadResult<ReadOnlyMemory<byte>?> result) =>
            result is { Status: StoreStatus.Done, Value: { } bytes } && ContentDigest.Compute(bytes.Span) == digest
                // What was ordered was judged; what is no text all the same is no predicate either, and says so when it is used.
                ? DefinitionRules.ReadText(bytes.Span) ?? string.Empty
                : null;

        private void OnRead(Digest160 digest, string? text)
        {
            _isAsked = false;
            if (text is not null)
            {
                _texts[digest] = text;
                GoOn();
            }
        }

        private void Take(ReleaseState state)
        {
            var texts = new SortedDictionary<Digest160, string>();
            var read = new List<(DefinitionKey Key, string Text)>();
            foreach ((string key, KeyEntry entry) in state.Keys)
            {
                string text = texts[entry.Digest] = _texts[entry.Digest];
                if (DefinitionKey.TryRead(key, out DefinitionKey definition, out _))
                {
                    read.Add((definition, text));
                }
            }

            _texts = texts;
            _newest = Make(state.Release, read);
            _wanted = null;
            onTaken(_newest);
        }

        private SpaceDefinition? SpaceOf(ulong release, List<(DefinitionKey Key, string Text)> read)
        {
            string? text = read.Where(r => r.Key.Kind == DefinitionKind.Space).Select(r => r.Text).FirstOrDefault();
            return text is null ? null
                : _newest.Space is { } known && known.Text == text ? known
                : SpaceText.TryRead(text, out AttributeSpace? space, out _) ? new SpaceDefinition(text, space, release)
                : null;
        }

        private ApplicationDefinitions Make(ulong release, List<(DefinitionKey Key, string Text)> read)
        {
            ImmutableSortedDictionary<string, ImmutableArray<string>> areas = Of(
                DefinitionKind.Area, (_, text) => DefinitionRules.ReadZones(text).ToImmutableArray());
            // An area is a part of what predicates mean: with another one, each is another predicate.
            bool areSame = areas.Count == _newest.Areas.Count
                && areas.All(a => _newest.Areas.TryGetValue(a.Key, out ImmutableArray<string> zones) && zones.SequenceEqual(a.Value));
            return new ApplicationDefinitions(
                release,
                Of(DefinitionKind.Predicate, (name, text) =>
                    areSame && _newest.Predicates.TryGetValue(name, out NamedPredicate? before) && before.Text == text
                        ? before
                        : new NamedPredicate(name, text, release)),
                Of(DefinitionKind.Level, (_, text) => text),
                areas)
            {
                Space = SpaceOf(release, read),
                Externals = Of(DefinitionKind.External, (_, text) => text),
                Reports = read
                    .Where(r => r.Key.Kind == DefinitionKind.Report)
                    .Select(r => (r.Key.Name, Report: ExternalReport.TryRead(r.Key.Reported.External, r.Key.Reported.Level, r.Text)))
                    .Where(r => r.Report is not null)
                    .ToImmutableSortedDictionary(r => r.Name, r => r.Report!, StringComparer.Ordinal),
            };

            ImmutableSortedDictionary<string, T> Of<T>(DefinitionKind kind, Func<string, string, T> make) => read
                .Where(r => r.Key.Kind == kind)
                .ToImmutableSortedDictionary(r => r.Key.Name, r => make(r.Key.Name, r.Text), StringComparer.Ordinal);
        }
    }
}
