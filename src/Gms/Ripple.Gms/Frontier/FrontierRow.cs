using Ripple.Engine.Memory;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Frontier;

/// <summary>
/// The progress of one member in one application, within the table's generation. Values only grow within a generation; a newer generation
/// of the table resets the row. What the member told directly is kept apart from what others said of it: a ring changes neither direct
/// values nor direct rejections. Changed only through its <see cref="FrontierTable"/>; a wait may keep the row after its removal from the
/// table. Belongs to the core thread.
/// </summary>
internal sealed class FrontierRow
{
    /// <summary>The most rejections kept; the lowest release is dropped first.</summary>
    public const int RejectionsMax = RejectionRow.CountMax;

    /// <summary>The longest reason kept, in characters; a longer one is cut.</summary>
    public const int ReasonCharsMax = 512;

    /// <summary>Memory of a row: its object, values, list and table entry, and its member.</summary>
    internal const int Bytes = 440;

    /// <summary>Memory of what it claimed of the application's own levels.</summary>
    internal const int ClaimsBytes = MemoryBudget.ArrayBytes + (FrontierLevels.OwnMax * sizeof(ulong));

    private readonly FrontierRejections _rejections = new();
    private readonly FrontierRejections _directRejections = new();
    private readonly FrontierTable _table;
    private readonly ulong[] _values = new ulong[OwnSlot];

    /// <summary>The most slots that a level is read from.</summary>
    internal const int SlotsMax = OwnSlot + FrontierLevels.OwnMax;

    /// <summary>What it claimed of the application's own levels; null while it claimed nothing.</summary>
    private ulong[]? _claims;

    /// <summary>The first slot of the application's own levels. They have one each: only the member itself reports them.</summary>
    private const int OwnSlot = 2 * FrontierLevels.Count;

    internal FrontierRow(FrontierTable table, FrontierMember member)
    {
        _table = table;
        Member = member;
        Generation = table.Generation;
    }

    /// <summary>The member.</summary>
    public FrontierMember Member { get; internal set; }

    /// <summary>Whether the member takes part.</summary>
    public MemberStatus Status { get; internal set; }

    /// <summary>The generation its values are of: the table's, while the row is in the table.</summary>
    public uint Generation { get; private set; }

    /// <summary>The newest release received along with all before it; 0 for none.</summary>
    public ulong Received => ValueAt(FrontierLevels.Received, isDirect: false);

    /// <summary>The newest release persisted along with all before it; 0 for none.</summary>
    public ulong Persisted => ValueAt(FrontierLevels.Persisted, isDirect: false);

    /// <summary>The newest release whose state is in effect; 0 for none.</summary>
    public ulong Applied => ValueAt(FrontierLevels.Applied, isDirect: false);

    /// <summary><see cref="Received"/>, counting only direct reports from the member to a host.</summary>
    public ulong DirectReceived => ValueAt(FrontierLevels.Received, isDirect: true);

    /// <summary><see cref="Persisted"/>, counting only direct reports from the member to a host.</summary>
    public ulong DirectPersisted => ValueAt(FrontierLevels.Persisted, isDirect: true);

    /// <summary><see cref="Applied"/>, counting only direct reports from the member to a host.</summary>
    public ulong DirectApplied => ValueAt(FrontierLevels.Applied, isDirect: true);

    /// <summary>The member's rejections in this generation, whoever told of them, lowest release first.</summary>
    public IReadOnlyList<FrontierRejection> Rejections => _rejections.All;

    /// <summary><see cref="Rejections"/>, counting only direct reports from the member to a host.</summary>
    public IReadOnlyList<FrontierRejection> DirectRejections => _directRejections.All;

    /// <summary>True when it left or failed.</summary>
    public bool IsGone => Status is MemberStatus.Left or MemberStatus.Failed;

    /// <summary>The value of a level of <see cref="FrontierLevels"/>, in the row's own generation.</summary>
    public ulong ValueAt(int level, bool isDirect) => At(SlotOf(level, isDirect));

    /// <summary>The index of a level in a row's values.</summary>
    internal static int SlotOf(int level, bool isDirect) =>
        level < FrontierLevels.Count ? (2 * level) + (isDirect ? 1 : 0) : OwnSlot + level - FrontierLevels.Count;

    /// <summary>
    /// The slots, one bit for each, that what these have is made of: a level of the application's own is bounded by what a member received,
    /// and is what a host applied.
    /// </summary>
    internal static uint SourcesOf(uint slots) => slots < 1u << OwnSlot
        ? slots
        : slots | (1u << SlotOf(FrontierLevels.Received, isDirect: false)) | (1u << SlotOf(FrontierLevels.Applied, isDirect: false));

    /// <summary>The value that predicates count: the stored value while the row is in the table's generation, otherwise 0.</summary>
    internal ulong CountedAt(int slot) => Generation == _table.Generation ? At(slot) : 0;

    /// <summary>
    /// What a slot has. A level of the application's own is what the member claimed of it, and never more than it received: a claim may
    /// come before the evidence. A host has every level of what it released (Stabilizer III.C); an external receives nothing.
    /// </summary>
    private ulong At(int slot) =>
        slot < OwnSlot ? _values[slot]
        : Member.IsHost ? Applied
        : _claims is null ? 0
        : Member.IsExternal ? _claims[slot - OwnSlot]
        : Math.Min(_claims[slot - OwnSlot], Received);

    /// <summary>
    /// Whether the counted value of a slot can still reach the release, as far as is known now (see docs/design/frontier.md).
    /// </summary>
    internal bool CanReach(int slot, ulong release)
    {
        if (CountedAt(slot) >= release)
        {
            return true;
        }

        if (IsGone)
        {
            return false;
        }

        // A later release that it applied, by whatever word, leaves hope; only a rejection that the slot may believe ends it.
        int applied = SlotOf(FrontierLevels.Applied, isDirect: false);
        return (slot | 1) != (applied | 1)
            || _values[applied] >= release
            || FindRejection(release, isDirect: slot != applied) is null;
    }

    /// <summary>The rejection of a release as a level sees it; the member's own word first. Null when there is none.</summary>
    /// <param name="release">The release.</param>
    /// <param name="isDirect">True to see only what the member reported directly.</param>
    internal FrontierRejection? FindRejection(ulong release, bool isDirect) =>
        _directRejections.Find(release) ?? (isDirect ? null : _rejections.Find(release));

    /// <summary>Resets the row for a newer generation.</summary>
    internal void StartOver(uint generation)
    {
        Generation = generation;
        Array.Clear(_values);
        _claims = null;
        _rejections.Clear();
        _directRejections.Clear();
    }

    internal bool Advance(int slot, ulong release)
    {
        if (release <= _values[slot])
        {
            return false;
        }

        _table.Crossings.OnRaised(slot, _values[slot], release);
        _values[slot] = release;
        return true;
    }

    /// <summary>Raises what it claims of a level of the application's own; whether that is new.</summary>
    internal bool Claim(int level, ulong release)
    {
        _claims ??= new ulong[FrontierLevels.OwnMax];
        ref ulong claimed = ref _claims[level - FrontierLevels.Count];
        if (release <= claimed)
        {
            return false;
        }

        _table.Crossings.OnRaised(SlotOf(level, isDirect: false), claimed, release);
        claimed = release;
        return true;
    }

    internal bool Reject(ulong release, string reason, bool isDirect)
    {
        if (!isDirect)
        {
            return _directRejections.Find(release) is null && _rejections.Add(release, reason);
        }

        bool isNew = _directRejections.Add(release, reason);
        if (_directRejections.Find(release) is { } own)
        {
            // The member's own reason takes the place of what a ring said.
            _rejections.Remove(release);
            _rejections.Add(release, own.Reason);
        }

        return isNew;
    }
}
