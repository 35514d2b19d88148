using System.Collections.Immutable;
using Ripple.Engine.Releases;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// Every release the world knows of, with its content computed from what publishers recorded. Judges what hosts and disks say about
/// releases: each follows a known one, is made of a publish somebody asked for, has a number no other has, and is the only one its publish
/// made in its generation.
/// </summary>
internal sealed class ReleaseModel(SimulatedWorld world, PublishBook book, Judges judges)
{
    private const string ContentName = "Content";
    private const string PublishesName = "Publishes";
    private readonly SortedDictionary<string, ApplicationModel> _applications = new(StringComparer.Ordinal);

    /// <summary>The publishes.</summary>
    public PublishBook Book => book;

    /// <summary>
    /// Whether companions are somebody else's to judge: what applications say about themselves changes without a record here. Default
    /// false.
    /// </summary>
    public bool IgnoresCompanions { get; set; }

    /// <summary>Whether the releases of an application are judged.</summary>
    public bool IsJudged(string application) => !IgnoresCompanions || CompanionName.OwnerOf(application) is null;

    /// <summary>An application, which may have no releases yet.</summary>
    public ApplicationModel Of(string application)
    {
        if (!_applications.TryGetValue(application, out ApplicationModel? model))
        {
            _applications.Add(application, model = new ApplicationModel());
        }

        return model;
    }

    /// <summary>Called when a host announces a commit: from now on it is the newest.</summary>
    public ModelRelease OnCommitted(ReleaseClaim claim)
    {
        ModelRelease release = Take(claim, world.Scheduler.NowNs);
        Of(claim.Application).SetNewest(world.Scheduler.NowNs, release);
        return release;
    }

    /// <summary>Called for each release on the disk of a host that starts, oldest first; the last one becomes the newest.</summary>
    public ModelRelease OnFound(ReleaseClaim claim) => Take(claim, long.MaxValue);

    /// <summary>Called when a host has started: the newest on its disk is the newest of all, also after a restore.</summary>
    public void OnStarted(string application, string? newest)
    {
        ApplicationModel model = Of(application);
        ModelRelease? release = newest is null ? null : model.Find(newest);
        if (!ReferenceEquals(release, model.Newest))
        {
            model.SetNewest(world.Scheduler.NowNs, release);
        }
    }

    private ModelRelease Take(ReleaseClaim claim, long committedNs)
    {
        ApplicationModel model = Of(claim.Application);
        if (model.Find(claim.Name) is { } known)
        {
            if (known.Claim != claim)
            {
                world.Fail(ContentName, $"{claim} was {known.Claim} before");
            }

            return known;
        }

        ModelRelease? previous = claim.Previous.Length == 0 ? null : model.Find(claim.Previous);
        if ((previous?.Release ?? 0) + 1 != claim.Release || (previous?.Generation ?? 0) > claim.Generation)
        {
            world.Fail(ContentName, $"{claim} follows {previous?.ToString() ?? "nothing"}");
        }

        var release = new ModelRelease(claim, previous, ContentOf(claim, previous), committedNs);
        Judge(model, release);
        model.Add(release);
        return release;
    }

    private ImmutableSortedDictionary<string, byte[]> ContentOf(ReleaseClaim claim, ModelRelease? previous)
    {
        if (claim.Publish == Guid.Empty)
        {
            return previous?.Content ?? ModelRelease.NoContent;
        }

        if (book.Find(claim.Publish) is { } intent && intent.Application == claim.Application)
        {
            return ApplicationModel.Apply(previous, intent);
        }

        world.Fail(ContentName, $"{claim} is made of publish {claim.Publish}, which nobody asked for");
        return ModelRelease.NoContent;
    }

    private void Judge(ApplicationModel model, ModelRelease release)
    {
        ReleaseClaim claim = release.Claim;
        if (claim.Publish != Guid.Empty
            && model.OfPublish(claim.Generation, claim.Publish) is { } other
            && ((judges & Judges.Repeats) != 0 || release.At(other.Release)?.Name == other.Name))
        {
            world.Fail(PublishesName, $"publish {claim.Publish} is release {other} and again {release}");
        }

        if ((judges & Judges.Content) != 0 && model.FirstOf(claim.Generation, claim.Release) is { } first)
        {
            world.Fail(ContentName, $"{claim.Application} {release} was {first} before: one number has two contents");
        }
    }
}
