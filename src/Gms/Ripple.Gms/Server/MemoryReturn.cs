namespace Ripple.Gms.Server;

/// <summary>
/// Gives memory back that a burst took. The runtime collects when something is allocated, and keeps what a collection beside the work
/// frees: behind many connections, or regions, that ended together, a host with little to do would keep their memory for hours. One call at
/// a time.
/// </summary>
/// <param name="runtime">What collects.</param>
internal sealed class MemoryReturn(IRuntimeMemory runtime)
{
    /// <summary>So much was allocated since the last full collection: less is not worth another.</summary>
    private const long AllocatedBytesMin = 8 * 1_024 * 1_024;

    /// <summary>With more than this between two looks the runtime collects by itself soon.</summary>
    private const long QuietBytesMax = 4 * 1_024 * 1_024;

    /// <summary>So much would be given back by moving what is left together: less is not worth a pause.</summary>
    private const long FreeBytesMin = 16 * 1_024 * 1_024;

    /// <summary>With more than this the pause would be too long: some 50 ms for this.</summary>
    private const long LiveBytesMax = 128 * 1_024 * 1_024;

    /// <summary>So many looks it must have been quiet: who pauses between two bursts is not held up.</summary>
    private const int QuietLooksMin = 2;

    /// <summary>So many quiet looks behind a collection that found much in use it asks again, then twice as many, and so on.</summary>
    private const int AgainLooksMin = 4;

    /// <summary>About an hour.</summary>
    private const int AgainLooksMax = 1_024;

    /// <summary>What is left of the wait for the next one when it has come; 0 stands for no wait.</summary>
    private const int DueLooks = 1;

    /// <summary>
    /// Behind each collection that was asked for comes no other for a look for each so many bytes in use, and for as many looks as before
    /// the first that is asked for again: finding what is in use takes about a millisecond a mebibyte, so that all of them together take
    /// half a per cent of a processor.
    /// </summary>
    private const long RestBytes = 16 * 1_024 * 1_024;

    /// <summary>After so many looks one that was asked for does not come: the runtime was collecting already.</summary>
    private const int UnansweredLooksMax = 20;

    private long _collectedAtBytes;
    private long _bytes;
    private int _collections;
    private long _residentBytes = runtime.ResidentBytes;
    private int _quietLooks;
    private int _unansweredLooks;
    private int _restLooks;
    private int _againInLooks;
    private int _againLooks = AgainLooksMin;
    private bool _isAsked;

    /// <summary>
    /// Called every few seconds. If much was allocated since the last full collection, or the process has grown since one that this asked
    /// for, and little was allocated lately, asks for one beside the host's work; if that found much that is free, and little that is not,
    /// has the rest moved together the next time. The runtime's own collections are no reason not to ask: what a burst took may have been
    /// in use then, and what they found is not given back. Where much was in use it asks again, ever more seldom: that connections end
    /// allocates nothing, and shows in nothing that the runtime tells.
    /// </summary>
    public void Look()
    {
        int collections = runtime.FullCollections;
        long bytes = runtime.AllocatedBytes;
        _quietLooks = bytes - _bytes <= QuietBytesMax ? _quietLooks + 1 : 0;
        bool isQuiet = _quietLooks >= QuietLooksMin;
        _residentBytes = Math.Min(_residentBytes, runtime.ResidentBytes);
        _restLooks -= _restLooks > 0 ? 1 : 0;
        _againInLooks -= isQuiet && _againInLooks > DueLooks ? 1 : 0;
        if (_isAsked && (collections != _collections || ++_unansweredLooks == UnansweredLooksMax))
        {
            _isAsked = false;
            Take(bytes, mayMove: isQuiet && collections != _collections);
        }
        else if (collections != _collections)
        {
            // Some time since the look before: what was allocated behind it counts as not collected.
            (_collections, _collectedAtBytes) = (collections, _bytes);
        }
        else if (isQuiet && !_isAsked && _restLooks == 0 && IsWorthIt(bytes))
        {
            _isAsked = true;
            _unansweredLooks = 0;
            runtime.Collect(isCompacting: false);
        }

        _bytes = bytes;
    }

    /// <summary>Takes what was found where one was asked for. In a burst, or where none came, it is not the last word.</summary>
    private void Take(long bytes, bool mayMove)
    {
        (long liveBytes, long heldBytes) = runtime.Found();
        bool isOver = mayMove && liveBytes < FreeBytesMin;
        _againInLooks = isOver ? 0 : _againLooks + DueLooks;
        _againLooks = isOver ? AgainLooksMin : Math.Min(2 * _againLooks, AgainLooksMax);
        _restLooks = Math.Max(AgainLooksMin, (int)(liveBytes / RestBytes));
        if (mayMove && liveBytes <= LiveBytesMax && heldBytes - liveBytes >= FreeBytesMin)
        {
            runtime.Collect(isCompacting: true);
        }

        (_collections, _collectedAtBytes) = (runtime.FullCollections, bytes);
        _residentBytes = runtime.ResidentBytes;
    }

    private bool IsWorthIt(long allocatedBytes)
    {
        bool hasGrown = runtime.ResidentBytes - _residentBytes >= FreeBytesMin;
        _againLooks = hasGrown ? AgainLooksMin : _againLooks;
        return hasGrown || allocatedBytes - _collectedAtBytes >= AllocatedBytesMin || _againInLooks == DueLooks;
    }
}

/// <summary>The memory of this process, as the runtime sees it.</summary>
internal interface IRuntimeMemory
{
    /// <summary>How many full collections there were.</summary>
    int FullCollections { get; }

    /// <summary>The bytes that were ever allocated.</summary>
    long AllocatedBytes { get; }

    /// <summary>What the process holds of the system's memory, the runtime's and all else.</summary>
    long ResidentBytes { get; }

    /// <summary>What the last collection found in use, and what the runtime holds of the system's memory.</summary>
    (long LiveBytes, long HeldBytes) Found();

    /// <summary>Collects: beside the work, or at once and so that the rest of the memory can be given back.</summary>
    void Collect(bool isCompacting);
}

/// <summary>The runtime's own.</summary>
internal sealed class RuntimeMemory : IRuntimeMemory
{
    private const int Oldest = 2;

    public int FullCollections => GC.CollectionCount(Oldest);

    public long AllocatedBytes => GC.GetTotalAllocatedBytes();

    public long ResidentBytes => Environment.WorkingSet;

    public (long LiveBytes, long HeldBytes) Found()
    {
        GCMemoryInfo found = GC.GetGCMemoryInfo(GCKind.Any);
        return (found.HeapSizeBytes - found.FragmentedBytes, found.TotalCommittedBytes);
    }

    /// <remarks>Merely forced, a collection that moves keeps what it emptied for what comes next.</remarks>
    public void Collect(bool isCompacting) => GC.Collect(
        Oldest,
        isCompacting ? GCCollectionMode.Aggressive : GCCollectionMode.Forced,
        blocking: isCompacting,
        compacting: isCompacting);
}
