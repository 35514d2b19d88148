using Ripple.Client.Scheduling;
using Ripple.Engine.Releases;

namespace Ripple.Client.Events;

/// <summary>
/// The releases that arrived for one watch of a history, as far as they fit. A null header says that releases were left out, or that it is
/// not known whether some were.
/// </summary>
internal sealed class ArrivalWatcher(IClientScheduler scheduler) : Watcher<ReleaseHeader?>(scheduler)
{
    /// <summary>Maximum number of queued headers. One more replaces them all by a null.</summary>
    public const int QueueMax = 64;

    /// <summary>Adds what arrived. Any thread; never waits.</summary>
    public void Offer(ReleaseHeader? header)
    {
        lock (Gate)
        {
            if (IsClosed)
            {
                return;
            }

            if (QueuedCount == QueueMax)
            {
                TakeAll();
                header = null;
            }

            Enqueue(header);
        }
    }
}
