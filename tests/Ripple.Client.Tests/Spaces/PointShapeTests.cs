using Ripple.Client.Spaces;
using Ripple.Engine.Protocol;

namespace Ripple.Client.Tests.Spaces;

/// <summary>Records as points of a space.</summary>
public sealed class PointShapeTests
{
    private static readonly DateTimeOffset Noon = new(2026, 1, 2, 12, 0, 0, TimeSpan.Zero);

    [Fact]
    public void A_record_is_a_point_by_the_names_of_its_parameters_and_back()
    {
        var trade = new Trade(15.5, 100, Noon, 3);

        RipplePoint point = PointShape<Trade>.Get().ToPoint(trade);

        Assert.Equal(["price", "volume", "at", "max-lots"], point.Select(v => v.Key));
        Assert.Equal(
            [RippleValue.FromDouble(15.5), RippleValue.FromInt64(100), RippleValue.FromTime(Noon), RippleValue.FromInt64(3)],
            point.Select(v => v.Value));
        Assert.Equal(trade, PointShape<Trade>.Get().FromPoint("trades", point));
        Assert.Equal(1550, trade.Value);
    }

    [Fact]
    public void What_comes_is_matched_whatever_the_case_and_order_of_its_names()
    {
        var point = new RipplePoint { ["VOLUME"] = 7, ["Price"] = 1.5 };
        Assert.Equal(new Quote(1.5f, 7), PointShape<Quote>.Get().FromPoint("trades", point));
    }

    [Fact]
    public void A_property_without_a_dimension_a_dimension_without_a_property_and_a_wrong_type_are_named()
    {
        PointShape<Quote> shape = PointShape<Quote>.Get();
        Fails(
            "Quote.Volume has no dimension: the events of 'trades' have 'price', 'lots', and none is 'volume'.",
            () => shape.FromPoint("trades", new RipplePoint { ["price"] = 1.5, ["lots"] = 1 }));
        Fails(
            "The dimension 'lots' of 'trades' has no property in Quote. Add one, or subscribe without a record.",
            () => shape.FromPoint("trades", new RipplePoint { ["price"] = 1.5, ["volume"] = 1, ["lots"] = 1 }));
        Fails(
            "'price' of 'trades' is 2, of kind integer, and Quote.Price is of type Single. Use long.",
            () => shape.FromPoint("trades", new RipplePoint { ["price"] = 2, ["volume"] = 1 }));
        Fails(
            "'volume' of 'trades' is 256, of kind integer, and Quote.Volume is of type Byte. Use long.",
            () => shape.FromPoint("trades", new RipplePoint { ["price"] = 1.5, ["volume"] = 256 }));
        Fails(
            "'volume' of 'trades' is 2026-01-02T12:00:00Z, of kind time, and Quote.Volume is of type Byte. Use DateTimeOffset.",
            () => shape.FromPoint("trades", new RipplePoint { ["price"] = 1.5, ["volume"] = Noon }));
    }

    [Fact]
    public void What_is_no_point_is_refused_by_name()
    {
        Fails(
            "Named.Name is of type String, which no dimension has. Use double, long or DateTimeOffset.",
            () => PointShape<Named>.Get());
        Fails(
            "Empty has no constructor with a parameter a dimension. Make it a record, as in record Empty(double Price, long Volume).",
            () => PointShape<Empty>.Get());
        Fails("Hidden has no property for the parameter 'price' of its constructor.", () => PointShape<Hidden>.Get());
        Fails("Twice has more than one property for 'price': Price, Cost.", () => PointShape<Twice>.Get());
    }

    private static void Fails(string text, Action action)
    {
        RippleException e = Assert.Throws<RippleException>(action);
        Assert.Equal((ErrorCode.InvalidRequest, text), (e.Code, e.Message));
    }

    private sealed record Trade(double Price, long Volume, DateTimeOffset At, [RippleDimension("max-lots")] int MaxLots)
    {
        public double Value => Price * Volume;
    }

    private readonly record struct Quote(float Price, byte Volume);

    private sealed record Named(string Name);

    private sealed record Empty;

    private sealed record Twice(double Price, [RippleDimension("price")] double Cost);

    private sealed class Hidden(double price)
    {
        public override string ToString() => $"{price}";
    }
}
